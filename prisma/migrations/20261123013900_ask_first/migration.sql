-- What a workspace wants its people to be asked about first, when an app does it for them, and what they were asked.
ALTER TABLE "workspaces" ADD COLUMN "ask_first" TEXT[] NOT NULL DEFAULT '{}';

CREATE TYPE "ask_state" AS ENUM ('OPEN', 'APPROVED', 'DENIED');

CREATE TABLE "asks" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "workspace_id" UUID NOT NULL,
    "permission" TEXT NOT NULL,
    "resource_type" TEXT NOT NULL,
    "resource_id" TEXT NOT NULL,
    "tool" TEXT,
    "state" "ask_state" NOT NULL DEFAULT 'OPEN',
    "once" BOOLEAN NOT NULL DEFAULT false,
    "used_by" UUID,
    "valid_until" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "asks_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "asks_user_id_client_id_permission_resource_type_resource_id_key" ON "asks"("user_id", "client_id", "permission", "resource_type", "resource_id");
CREATE INDEX "asks_client_id_idx" ON "asks"("client_id");
CREATE INDEX "asks_workspace_id_idx" ON "asks"("workspace_id");
CREATE INDEX "asks_valid_until_idx" ON "asks"("valid_until");
ALTER TABLE "asks" ADD CONSTRAINT "asks_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "asks" ADD CONSTRAINT "asks_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "asks" ADD CONSTRAINT "asks_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
