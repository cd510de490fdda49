-- The APIs of the platform that apps can request with `resource` (RFC 8707), their scopes and credentials, and what users granted.
CREATE TYPE "api_token_format" AS ENUM ('OPAQUE', 'JWT');
CREATE TYPE "api_scope_sensitivity" AS ENUM ('LOW', 'ELEVATED', 'HIGH');
CREATE TYPE "api_scope_selects" AS ENUM ('WORKSPACES', 'PROJECTS', 'NOTHING');

CREATE TABLE "apis" (
    "id" TEXT NOT NULL,
    "identifier" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "logo_url" TEXT,
    "token_format" "api_token_format" NOT NULL,
    "token_lifetime" INTEGER NOT NULL,
    "signing_algorithm" TEXT NOT NULL,
    "from_file" BOOLEAN NOT NULL DEFAULT false,
    "version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "apis_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "api_scopes" (
    "name" TEXT NOT NULL,
    "api_id" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "sensitivity" "api_scope_sensitivity" NOT NULL,
    "selects" "api_scope_selects" NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "api_scopes_pkey" PRIMARY KEY ("name")
);

CREATE TABLE "api_credentials" (
    "id" UUID NOT NULL,
    "api_id" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "last_four" TEXT NOT NULL,
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_credentials_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "api_grants" (
    "authorization_id" UUID NOT NULL,
    "api_id" TEXT NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "api_grants_pkey" PRIMARY KEY ("authorization_id", "api_id")
);

ALTER TABLE "pictures" ADD COLUMN "api_id" TEXT;

CREATE UNIQUE INDEX "apis_identifier_key" ON "apis"("identifier");
CREATE INDEX "api_scopes_api_id_idx" ON "api_scopes"("api_id");
CREATE UNIQUE INDEX "api_credentials_hash_key" ON "api_credentials"("hash");
CREATE INDEX "api_credentials_api_id_idx" ON "api_credentials"("api_id");
CREATE UNIQUE INDEX "pictures_api_id_key" ON "pictures"("api_id");
CREATE INDEX "api_grants_api_id_idx" ON "api_grants"("api_id");

ALTER TABLE "api_scopes" ADD CONSTRAINT "api_scopes_api_id_fkey" FOREIGN KEY ("api_id") REFERENCES "apis"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "api_credentials" ADD CONSTRAINT "api_credentials_api_id_fkey" FOREIGN KEY ("api_id") REFERENCES "apis"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "api_grants" ADD CONSTRAINT "api_grants_authorization_id_fkey" FOREIGN KEY ("authorization_id") REFERENCES "authorizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "api_grants" ADD CONSTRAINT "api_grants_api_id_fkey" FOREIGN KEY ("api_id") REFERENCES "apis"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_api_id_fkey" FOREIGN KEY ("api_id") REFERENCES "apis"("id") ON DELETE CASCADE ON UPDATE CASCADE;
