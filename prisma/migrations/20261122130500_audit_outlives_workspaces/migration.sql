-- What happened in a workspace is kept when the workspace goes.
ALTER TABLE "audit_events" DROP CONSTRAINT "audit_events_workspace_id_fkey";

-- CreateTable
CREATE TABLE "deleted_workspaces" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deleted_workspaces_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "deleted_workspaces_slug_idx" ON "deleted_workspaces"("slug");

-- CreateIndex
CREATE INDEX "deleted_workspaces_deleted_at_idx" ON "deleted_workspaces"("deleted_at");

-- Whoever deletes a workspace, the release before this one included, leaves its name here in the same transaction.
CREATE FUNCTION "note_deleted_workspace"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO "deleted_workspaces" ("id", "slug", "name") VALUES (OLD."id", OLD."slug", OLD."name")
    ON CONFLICT ("id") DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER "workspaces_note_deleted" AFTER DELETE ON "workspaces"
  FOR EACH ROW EXECUTE FUNCTION "note_deleted_workspace"();
