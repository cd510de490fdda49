-- CreateTable
CREATE TABLE "audit_streams" (
    "place_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "sealed_secret" BYTEA NOT NULL,
    "sealed_previous_secret" BYTEA,
    "previous_secret_expires_at" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "last_success_at" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT,
    "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "job_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_streams_pkey" PRIMARY KEY ("place_id")
);

-- CreateTable
CREATE TABLE "audit_waiting" (
    "position" BIGSERIAL NOT NULL,
    "place_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,

    CONSTRAINT "audit_waiting_pkey" PRIMARY KEY ("position")
);

-- CreateIndex
CREATE INDEX "audit_waiting_place_id_position_idx" ON "audit_waiting"("place_id", "position");
