-- CreateTable
CREATE TABLE "app_usage" (
    "client_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "authorizations" INTEGER NOT NULL DEFAULT 0,
    "tokens" INTEGER NOT NULL DEFAULT 0,
    "requests" INTEGER NOT NULL DEFAULT 0,
    "errors" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "app_usage_pkey" PRIMARY KEY ("client_id","day")
);

-- CreateIndex
CREATE INDEX "app_usage_day_idx" ON "app_usage"("day");

-- AddForeignKey
ALTER TABLE "app_usage" ADD CONSTRAINT "app_usage_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;
