-- Mutations sent with an Idempotency-Key, for a day.
CREATE TABLE "keyed_requests" (
    "hash" BYTEA NOT NULL,
    "credential_id" UUID NOT NULL,
    "run" UUID NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "changed_at" TIMESTAMPTZ(3),
    "sealed_answer" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "keyed_requests_pkey" PRIMARY KEY ("hash")
);
CREATE INDEX "keyed_requests_credential_id_idx" ON "keyed_requests"("credential_id");
CREATE INDEX "keyed_requests_created_at_idx" ON "keyed_requests"("created_at");
