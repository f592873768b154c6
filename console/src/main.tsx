import "./ui/design/tokens.css";
import "./ui/design/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.js";
import { reloadOnArrival, takeArrival } from "./app/sign-in/arrival.js";
import { applyTheme } from "./ui/design/theme.js";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no place for the console");
applyTheme();
reloadOnArrival();
createRoot(root).render(
  <StrictMode>
    <App arrival={takeArrival()} />
  </StrictMode>,
);
