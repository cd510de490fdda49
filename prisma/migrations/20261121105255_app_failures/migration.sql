-- AlterTable
ALTER TABLE "oauth_clients" ADD COLUMN     "first_authorized_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "app_failures" (
    "id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "endpoint" TEXT NOT NULL,
    "error" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "reason" TEXT,
    "ip" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "app_failures_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "app_failures_client_id_id_idx" ON "app_failures"("client_id", "id");

-- AddForeignKey
ALTER TABLE "app_failures" ADD CONSTRAINT "app_failures_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;


