-- What an app asked of one workspace each day, for the workspace's admins. The release before counts nothing here.
CREATE TABLE "workspace_app_usage" (
    "workspace_id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "requests" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "workspace_app_usage_pkey" PRIMARY KEY ("workspace_id","client_id","day")
);
CREATE INDEX "workspace_app_usage_client_id_idx" ON "workspace_app_usage"("client_id");
CREATE INDEX "workspace_app_usage_day_idx" ON "workspace_app_usage"("day");
ALTER TABLE "workspace_app_usage" ADD CONSTRAINT "workspace_app_usage_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "workspace_app_usage" ADD CONSTRAINT "workspace_app_usage_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;
