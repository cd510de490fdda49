-- Settings that an operator changed in the console (docs/decisions/214).
CREATE TABLE "changed_settings" (
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "changed_settings_pkey" PRIMARY KEY ("name")
);
