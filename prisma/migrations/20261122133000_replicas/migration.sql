-- What each process of the service says of itself every few seconds. Unlogged, because it costs the disk nothing then and
-- says nothing any more after a crash of the database.
CREATE UNLOGGED TABLE "replicas" (
    "id" UUID NOT NULL,
    "host" TEXT NOT NULL,
    "release" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "state" JSONB NOT NULL,

    CONSTRAINT "replicas_pkey" PRIMARY KEY ("id")
);
