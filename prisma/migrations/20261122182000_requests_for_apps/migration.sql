-- Members ask their admins to let an app in.
CREATE TYPE "app_request_state" AS ENUM ('OPEN', 'APPROVED', 'DECLINED');
ALTER TYPE "notification_type" ADD VALUE 'APP_REQUESTED';
ALTER TYPE "notification_type" ADD VALUE 'APP_DECIDED';

CREATE TABLE "workspace_app_requests" (
    "workspace_id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "scopes" TEXT[],
    "reason" TEXT NOT NULL DEFAULT '',
    "state" "app_request_state" NOT NULL DEFAULT 'OPEN',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "workspace_app_requests_pkey" PRIMARY KEY ("workspace_id", "client_id", "user_id")
);
CREATE INDEX "workspace_app_requests_client_id_idx" ON "workspace_app_requests"("client_id");
CREATE INDEX "workspace_app_requests_user_id_idx" ON "workspace_app_requests"("user_id");
ALTER TABLE "workspace_app_requests" ADD CONSTRAINT "workspace_app_requests_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "workspace_app_requests" ADD CONSTRAINT "workspace_app_requests_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "workspace_app_requests" ADD CONSTRAINT "workspace_app_requests_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
