-- What a user selected for one API. It is separate from the selection of the authorization, so that consent to an API extends nothing else.
ALTER TABLE "api_grants" ADD COLUMN "workspace_ids" UUID[] NOT NULL DEFAULT ARRAY[]::UUID[],
ADD COLUMN "project_ids" UUID[] NOT NULL DEFAULT ARRAY[]::UUID[];
