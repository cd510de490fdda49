-- A logo of an app for dark pages, beside the one it has.
ALTER TABLE "oauth_clients" ADD COLUMN "logo_dark_url" TEXT;

-- A column of its own rather than a mark on the row: the release before replaces the picture whose "client_id" is the app's, and
-- takes no other with it.
ALTER TABLE "pictures" ADD COLUMN "dark_client_id" TEXT;
CREATE UNIQUE INDEX "pictures_dark_client_id_key" ON "pictures"("dark_client_id");
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_dark_client_id_fkey" FOREIGN KEY ("dark_client_id") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;
