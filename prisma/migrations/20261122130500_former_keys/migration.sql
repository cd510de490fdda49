-- Keys that were derived from a former SECRET_KEY and are still needed, sealed with the present one.
CREATE TABLE "former_keys" (
    "fingerprint" BYTEA NOT NULL,
    "purpose" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "former_keys_pkey" PRIMARY KEY ("fingerprint")
);
