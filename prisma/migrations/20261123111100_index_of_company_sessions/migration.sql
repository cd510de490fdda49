-- Which sessions end with a provider. Reads the whole table, so nobody who signs in waits for it; alone here, since it goes into no transaction.
CREATE INDEX CONCURRENTLY "sessions_company_id_idx" ON "sessions"("company_id") WHERE "company_id" IS NOT NULL;
