-- What a process keeps of a client is told from what is stored by a column. System columns (xmin) are not the same on every
-- node of a distributed PostgreSQL.
ALTER TABLE "oauth_clients" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 0;
