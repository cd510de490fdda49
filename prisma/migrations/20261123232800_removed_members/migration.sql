-- Users whom an admin removed: they do not join again by SSO until they are invited or an admin allows it.
CREATE TABLE "removed_members" (
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "removed_members_pkey" PRIMARY KEY ("workspace_id", "user_id")
);
CREATE INDEX "removed_members_user_id_idx" ON "removed_members"("user_id");
ALTER TABLE "removed_members" ADD CONSTRAINT "removed_members_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "removed_members" ADD CONSTRAINT "removed_members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
