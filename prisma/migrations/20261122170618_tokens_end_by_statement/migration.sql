-- Who deletes an authorization deletes its tokens: a table that is distributed, or copied to each node, has no triggers. What
-- the release before leaves behind has no authorization, so no request finds it; it goes when it expires.
DROP TRIGGER "authorizations_delete_artifacts" ON "authorizations";
DROP FUNCTION "delete_artifacts_of_authorization"();
