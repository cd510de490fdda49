-- An app's own endpoint, told of what concerns the app (docs/decisions/195). The release before lists it among its workspace's.
ALTER TABLE "webhooks" ADD COLUMN "client_id" TEXT;
CREATE INDEX "webhooks_client_id_idx" ON "webhooks"("client_id");
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;
