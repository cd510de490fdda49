-- The scopes that an app may ask for; none where everything is allowed, as for every app that is older (docs/decisions/193). The release before lets every app ask for everything.
ALTER TABLE "oauth_clients" ADD COLUMN "allowed_scopes" TEXT[] DEFAULT ARRAY[]::TEXT[];
