-- The record of a removal outlives the user's account, and identifies the user by hashes
-- (lib/features/workspaces/former-members.ts). A record with a role is of a user who left.
ALTER TABLE "removed_members" DROP CONSTRAINT "removed_members_user_id_fkey";
DROP INDEX "removed_members_user_id_idx";
ALTER TABLE "removed_members" ADD COLUMN "left_as" "role", ADD COLUMN "identifiers" TEXT[] DEFAULT ARRAY[]::TEXT[];

UPDATE "removed_members" r
   SET "identifiers" = ARRAY(
         SELECT encode(sha256(convert_to(r."workspace_id" || ' email ' || u."email", 'UTF8')), 'hex')
           FROM "users" u WHERE u."id" = r."user_id"
         UNION ALL
         SELECT encode(sha256(convert_to(r."workspace_id" || ' subject ' || i."subject", 'UTF8')), 'hex')
           FROM "identities" i WHERE i."user_id" = r."user_id" AND i."provider" = 'workspace:' || r."workspace_id");
