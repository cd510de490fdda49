-- Counts the changes of an environment's variables, so that whoever writes many of them can tell whether somebody else did
-- since they were read.
ALTER TABLE "environments" ADD COLUMN     "revision" INTEGER NOT NULL DEFAULT 0;
