-- SECOND_FACTOR is now REQUIRE_TWO_FACTOR. The former row stays for servers of the previous release.
INSERT INTO changed_settings (name, value)
SELECT 'REQUIRE_TWO_FACTOR', CASE value WHEN 'everybody' THEN 'all' ELSE 'instance-admins' END
  FROM changed_settings
 WHERE name = 'SECOND_FACTOR'
ON CONFLICT (name) DO NOTHING;
