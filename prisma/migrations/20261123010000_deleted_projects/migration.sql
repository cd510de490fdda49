-- What a deleted project held, for as long as the deletion can be taken back. The project itself is gone from where it was, for the
-- release before too.
CREATE TABLE "deleted_projects" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "members" JSONB NOT NULL,
    "environments" JSONB NOT NULL,
    "deleted_by_id" UUID,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deleted_projects_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "deleted_projects_workspace_id_id_idx" ON "deleted_projects"("workspace_id", "id");
CREATE INDEX "deleted_projects_deleted_at_idx" ON "deleted_projects"("deleted_at");
ALTER TABLE "deleted_projects" ADD CONSTRAINT "deleted_projects_workspace_id_fkey"
    FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "deleted_variables" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "sealed_value" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "deleted_variables_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "deleted_variables_project_id_idx" ON "deleted_variables"("project_id");
ALTER TABLE "deleted_variables" ADD CONSTRAINT "deleted_variables_project_id_fkey"
    FOREIGN KEY ("project_id") REFERENCES "deleted_projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "deleted_variable_changes" (
    "id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "action" "variable_action" NOT NULL,
    "user_id" UUID,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "deleted_variable_changes_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "deleted_variable_changes_project_id_idx" ON "deleted_variable_changes"("project_id");
ALTER TABLE "deleted_variable_changes" ADD CONSTRAINT "deleted_variable_changes_project_id_fkey"
    FOREIGN KEY ("project_id") REFERENCES "deleted_projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;
