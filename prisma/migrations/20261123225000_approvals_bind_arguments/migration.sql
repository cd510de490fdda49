-- An approval is bound to one operation with its arguments: a digest names it, and what is shown of the arguments is kept. The
-- same operation on the same resource can be requested with other arguments, so that key is no longer unique.
ALTER TABLE "asks"
    ADD COLUMN "digest" TEXT,
    ADD COLUMN "operation" TEXT NOT NULL DEFAULT '',
    ADD COLUMN "arguments" JSONB NOT NULL DEFAULT '[]',
    ADD COLUMN "authorization_id" UUID,
    ADD COLUMN "approved_in" UUID,
    ALTER COLUMN "workspace_id" DROP NOT NULL;

CREATE UNIQUE INDEX "asks_digest_key" ON "asks"("digest");
DROP INDEX "asks_user_id_client_id_permission_resource_type_resource_id_key";
CREATE INDEX "asks_user_id_client_id_permission_resource_type_resource_id_idx" ON "asks"("user_id", "client_id", "permission", "resource_type", "resource_id");
