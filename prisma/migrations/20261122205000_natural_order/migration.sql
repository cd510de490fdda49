-- Names in the order people count in: "Project 2" before "Project 10". A PostgreSQL that was built without ICU keeps the
-- order of bytes.
DO $$
BEGIN
  CREATE COLLATION IF NOT EXISTS natural_order (provider = icu, locale = 'und-u-kn-true');
EXCEPTION WHEN feature_not_supported THEN
  CREATE COLLATION IF NOT EXISTS natural_order FROM "C";
END
$$;
