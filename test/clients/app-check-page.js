import { initializeApp } from "@firebase/app";
import { CustomProvider, getLimitedUseToken, getToken, initializeAppCheck } from "@firebase/app-check";

/** Gets an app token and a limited-use one with a debug token, as web pages do. */
globalThis.getAppTokens = async ({ projectId, appId, debugToken }) => {
  globalThis.FIREBASE_APPCHECK_DEBUG_TOKEN = debugToken;
  const provider = new CustomProvider({
    getToken: () => Promise.reject(new Error("the SDK did not use the debug token")),
  });
  const app = initializeApp({ projectId, appId, apiKey: "none" });
  const appCheck = initializeAppCheck(app, { provider });
  return [(await getToken(appCheck)).token, (await getLimitedUseToken(appCheck)).token];
};
