// Fonts of the system, as in the console.
export { default } from "vitepress/theme-without-fonts";
