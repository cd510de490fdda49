-- Every rotation writes two tokens and marks a third as used, so what a row costs is paid with every refresh.

-- The foreign key looked its authorization up, and locked it, once for each token. A token is of no use without its
-- authorization, which every read of it joins; what remains to be done is to clear away what an authorization leaves.
ALTER TABLE "oauth_artifacts" DROP CONSTRAINT "oauth_artifacts_authorization_id_fkey";

-- Repeated until nothing is found: a request that was rotating a token meanwhile has written its successors, which the
-- statement that waited for it does not see.
CREATE FUNCTION "delete_artifacts_of_authorization"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  LOOP
    DELETE FROM "oauth_artifacts" WHERE "authorization_id" = OLD."id";
    EXIT WHEN NOT FOUND;
  END LOOP;
  RETURN NULL;
END $$;

CREATE TRIGGER "authorizations_delete_artifacts" AFTER DELETE ON "authorizations"
  FOR EACH ROW EXECUTE FUNCTION "delete_artifacts_of_authorization"();

-- Room on each page for the second version of its refresh tokens: marking one as used then touches no index.
ALTER TABLE "oauth_artifacts" SET (fillfactor = 60);
