-- A question is one address's: the same token elsewhere asks anew.
CREATE UNIQUE INDEX "factor_asks_token_id_change_factor_id_ip_key" ON "factor_asks"("token_id", "change", "factor_id", "ip");
DROP INDEX "factor_asks_token_id_change_factor_id_key";
