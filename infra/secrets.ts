/** Set with `sst secret set NAME VALUE`; `docs/deploy.md` says how each is made. */
export const addressKey = new sst.Secret("AddressKey");
export const ticketKey = new sst.Secret("TicketKey");
export const googleClientSecret = new sst.Secret("GoogleClientSecret");
export const modelApiKey = new sst.Secret("ModelApiKey");
/** Only read when LANGFUSE_URL is set. */
export const langfuseSecretKey = new sst.Secret("LangfuseSecretKey", "off");
