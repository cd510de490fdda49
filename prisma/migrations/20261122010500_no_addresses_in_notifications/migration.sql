-- Apps may read a workspace's notifications without the right to read its members' addresses.
UPDATE "notifications" SET "body" = regexp_replace("body", ' \([^()\s]+@[^()\s]+\) has a role in ', ' has a role in ')
 WHERE "type" = 'MEMBER_ADDED';
