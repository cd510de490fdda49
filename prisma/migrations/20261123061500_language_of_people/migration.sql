-- The language that mails to a person are written in; a tag of BCP 47.
ALTER TABLE "users" ADD COLUMN "language" TEXT;
