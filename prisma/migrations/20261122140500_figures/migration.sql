-- CreateTable
CREATE TABLE "figures" (
    "bucket" TIMESTAMPTZ(3) NOT NULL,
    "measure" TEXT NOT NULL,
    "value" BIGINT NOT NULL,

    CONSTRAINT "figures_pkey" PRIMARY KEY ("bucket","measure")
);
