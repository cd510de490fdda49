-- An app that its workspace offers to another one, until an admin there accepts, or somebody says no, or its time is over.
CREATE TABLE "app_offers" (
    "client_id" TEXT NOT NULL,
    "workspace_id" UUID NOT NULL,
    "offered_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "app_offers_pkey" PRIMARY KEY ("client_id")
);
CREATE INDEX "app_offers_workspace_id_idx" ON "app_offers"("workspace_id");
CREATE INDEX "app_offers_expires_at_idx" ON "app_offers"("expires_at");
ALTER TABLE "app_offers" ADD CONSTRAINT "app_offers_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "app_offers" ADD CONSTRAINT "app_offers_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
