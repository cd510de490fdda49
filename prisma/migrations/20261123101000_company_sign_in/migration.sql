-- What signing in through a company's identity provider makes of people, and whether it is the only way for those of its domain.
ALTER TABLE "workspace_identity_providers" ADD COLUMN "join_as" "role",
ADD COLUMN "only_door" BOOLEAN NOT NULL DEFAULT false;
