-- What a notification is about, where the release before has no word for it: a value that its Prisma does not know fails the
-- whole list there. `type` holds the nearest that it knows.
ALTER TABLE "notifications" ADD COLUMN "kind" TEXT;
