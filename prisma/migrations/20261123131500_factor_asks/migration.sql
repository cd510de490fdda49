-- What a token wants to change about how its person signs in, and what that person was asked and said.
CREATE TABLE "factor_asks" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "token_id" UUID NOT NULL,
    "change" TEXT NOT NULL,
    "factor_id" TEXT NOT NULL,
    "wanted" TEXT NOT NULL,
    "ip" TEXT,
    "state" "ask_state" NOT NULL DEFAULT 'OPEN',
    "approved_in" UUID,
    "used_at" TIMESTAMPTZ(3),
    "valid_until" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "factor_asks_pkey" PRIMARY KEY ("id")
);
-- A question is of one address: the same token elsewhere asks anew.
CREATE UNIQUE INDEX "factor_asks_token_id_change_factor_id_ip_key" ON "factor_asks"("token_id", "change", "factor_id", "ip");
CREATE INDEX "factor_asks_user_id_idx" ON "factor_asks"("user_id");
CREATE INDEX "factor_asks_valid_until_idx" ON "factor_asks"("valid_until");
ALTER TABLE "factor_asks" ADD CONSTRAINT "factor_asks_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "factor_asks" ADD CONSTRAINT "factor_asks_token_id_fkey" FOREIGN KEY ("token_id") REFERENCES "api_tokens"("id") ON DELETE CASCADE ON UPDATE CASCADE;
