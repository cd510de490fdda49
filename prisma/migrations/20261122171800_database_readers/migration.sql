-- CreateTable
CREATE TABLE "database_readers" (
    "process" UUID NOT NULL,
    "turn" INTEGER NOT NULL,
    "uses" TEXT[],
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "database_readers_pkey" PRIMARY KEY ("process")
);
