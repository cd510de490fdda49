-- What the demo made is known by it, so that it can be told as demo and removed (docs/decisions/212).
ALTER TABLE "users" ADD COLUMN "demo" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "workspaces" ADD COLUMN "demo" BOOLEAN NOT NULL DEFAULT false;
