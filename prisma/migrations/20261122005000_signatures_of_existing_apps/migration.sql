-- What says nothing is signed with RS256 from now on. Apps that were made before go on with ES256, which was the default.
UPDATE "oauth_clients"
   SET "metadata" = "metadata" || '{"id_token_signed_response_alg": "ES256"}'
 WHERE NOT "metadata" ? 'id_token_signed_response_alg' AND "source" <> 'METADATA_DOCUMENT';
