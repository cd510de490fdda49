-- For whom apps have got tokens by the word of a company's identity provider, and when last.
CREATE TABLE "managed_uses" (
    "id" UUID NOT NULL,
    "managed_app_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "managed_uses_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "managed_uses_user_id_idx" ON "managed_uses"("user_id");
CREATE UNIQUE INDEX "managed_uses_managed_app_id_user_id_key" ON "managed_uses"("managed_app_id", "user_id");
ALTER TABLE "managed_uses" ADD CONSTRAINT "managed_uses_managed_app_id_fkey" FOREIGN KEY ("managed_app_id") REFERENCES "managed_apps"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "managed_uses" ADD CONSTRAINT "managed_uses_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
