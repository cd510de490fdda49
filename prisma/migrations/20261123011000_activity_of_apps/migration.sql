-- What happened around an app, for its admins, for 30 days: who signed in, let it in or said no, and what it was refused.
CREATE TABLE "app_events" (
    "id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "user_id" UUID,
    "scopes" TEXT[],
    "error" TEXT,
    "detail" TEXT,
    "ip" TEXT,
    "user_agent" TEXT,
    "trace_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "app_events_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "app_events_client_id_id_idx" ON "app_events"("client_id", "id");
CREATE INDEX "app_events_created_at_idx" ON "app_events"("created_at");
ALTER TABLE "app_events" ADD CONSTRAINT "app_events_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;
