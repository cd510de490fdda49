-- Which OAuth apps a workspace lets in. A workspace stays open to everybody's until its admins choose otherwise; the release before knows
-- nothing of it and goes on letting every app in until it is gone.
CREATE TYPE "app_policy" AS ENUM ('OPEN', 'APPROVED', 'OWN');
CREATE TYPE "app_decision" AS ENUM ('APPROVED', 'BLOCKED');

ALTER TABLE "workspaces" ADD COLUMN "app_policy" "app_policy" NOT NULL DEFAULT 'OPEN';

CREATE TABLE "workspace_apps" (
    "workspace_id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "decision" "app_decision" NOT NULL,
    "scopes" TEXT[],
    "all_projects" BOOLEAN NOT NULL DEFAULT true,
    "expires_at" TIMESTAMPTZ(3),
    "decided_by_id" UUID,
    "decided_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "word" TEXT,

    CONSTRAINT "workspace_apps_pkey" PRIMARY KEY ("workspace_id", "client_id")
);
CREATE INDEX "workspace_apps_client_id_idx" ON "workspace_apps"("client_id");
ALTER TABLE "workspace_apps" ADD CONSTRAINT "workspace_apps_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "workspace_apps" ADD CONSTRAINT "workspace_apps_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "workspace_app_projects" (
    "workspace_id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "project_id" UUID NOT NULL,

    CONSTRAINT "workspace_app_projects_pkey" PRIMARY KEY ("workspace_id", "client_id", "project_id")
);
CREATE INDEX "workspace_app_projects_project_id_idx" ON "workspace_app_projects"("project_id");
ALTER TABLE "workspace_app_projects" ADD CONSTRAINT "workspace_app_projects_workspace_id_client_id_fkey" FOREIGN KEY ("workspace_id", "client_id") REFERENCES "workspace_apps"("workspace_id", "client_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "workspace_app_projects" ADD CONSTRAINT "workspace_app_projects_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;
