import "./ui/design/tokens.css";
import "./ui/design/base.css";
import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { isEmbedPage } from "./api/shared-view-api.js";
import { App } from "./app/app.js";
import { reloadOnArrival, takeArrival } from "./app/sign-in/arrival.js";
import { applyTheme } from "./ui/design/theme.js";

const root = document.getElementById("root");
applyTheme();
if (isEmbedPage()) {
  // Any page may frame this page, so that it must not contain the console.
  const { EmbedPage } = await import("./app/embed/embedded-view.js");
  show(<EmbedPage />);
} else {
  reloadOnArrival();
  show(<App arrival={takeArrival()} />);
}

function show(page: ReactNode): void {
  if (root === null) throw new Error("the page has no element for the console");
  createRoot(root).render(<StrictMode>{page}</StrictMode>);
}
