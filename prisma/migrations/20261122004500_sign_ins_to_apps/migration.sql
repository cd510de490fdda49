-- CreateTable
CREATE TABLE "app_sign_ins" (
    "id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "sid" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),
    "queued_at" TIMESTAMPTZ(3),

    CONSTRAINT "app_sign_ins_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "app_sign_ins_client_id_idx" ON "app_sign_ins"("client_id");

-- CreateIndex
CREATE INDEX "app_sign_ins_ended_at_idx" ON "app_sign_ins"("ended_at");

-- CreateIndex
CREATE UNIQUE INDEX "app_sign_ins_session_id_client_id_sid_key" ON "app_sign_ins"("session_id", "client_id", "sid");

-- AddForeignKey
ALTER TABLE "app_sign_ins" ADD CONSTRAINT "app_sign_ins_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "app_sign_ins" ADD CONSTRAINT "app_sign_ins_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A session ends in many places; here is the one that all of them pass. In the same transaction, so nothing is forgotten.
CREATE FUNCTION "end_sign_ins_of_session"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE "app_sign_ins" SET "ended_at" = now() WHERE "session_id" = NEW."id" AND "ended_at" IS NULL;
  RETURN NULL;
END $$;

CREATE TRIGGER "sessions_end_sign_ins" AFTER UPDATE OF "revoked_at" ON "sessions"
  FOR EACH ROW WHEN (OLD."revoked_at" IS NULL AND NEW."revoked_at" IS NOT NULL)
  EXECUTE FUNCTION "end_sign_ins_of_session"();
