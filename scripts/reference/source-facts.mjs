// Facts that only the source text has: errors and metrics are made where they are needed, not in a table.
import { readdirSync, readFileSync } from "node:fs";
import { parseSync, Visitor } from "oxc-parser";

/** Returns the name, type and labels of each registered metric of Waybill. */
export function metricFamilies(root) {
  const families = new Map();
  forEachSource(root, (program, text) => {
    visit(program, {
      NewExpression({ callee, arguments: [options] }) {
        if (!/^(?:Counter|Gauge|Histogram)$/.test(callee.name)) return;
        const properties = propertiesOf(options);
        const labels = stringsIn(properties.get("labelNames"));
        const type = callee.name.toLowerCase();
        const [name] = stringsIn(properties.get("name"));
        // The gauges of a table have their names there.
        const names = name === undefined ? namesInTables(program, text, options) : [name];
        for (const each of names) families.set(each, { type, labels });
      },
    });
  });
  return families;
}

/** Returns the names in the table that the loop around an expression reads. */
function namesInTables(program, text, { start }) {
  let names = [];
  visit(program, {
    ForOfStatement({ right, start: from, end }) {
      if (from > start || end < start) return;
      const [, rows] = new RegExp(`const ${right.name}\\b[^=]*=([\\s\\S]*?\\n\\];)`).exec(
        text.replaceAll("=>", "->"),
      );
      names = [...rows.matchAll(/"(waybill_\w+)"/g)].map(([, name]) => name);
    },
  });
  return names;
}

/** Returns the HTTP status and code of each error by its reason, such as `404 NOT_FOUND`. */
export async function errorReasons(root) {
  const { httpStatusOf } = await import("../../dist/api/api-error.js");
  const { Code } = await import("../../dist/gen/google/rpc/code_pb.js");
  const reasons = new Map();
  const add = (reason, code, httpStatus = httpStatusOf(Code[code])) => {
    if (!/^[A-Z][A-Z0-9_]+$/.test(reason ?? "")) return;
    const statuses = reasons.get(reason) ?? new Set();
    reasons.set(reason, statuses.add(`${httpStatus} ${code}`));
  };
  forEachSource(root, (program, text) => {
    visit(program, {
      ObjectExpression(node) {
        const properties = propertiesOf(node);
        const reason = properties.get("reason");
        if (reason === undefined || !properties.has("code")) return;
        const codes = codesIn(properties.get("code"), program, text);
        const statuses = statusesIn(properties.get("httpStatus"), program);
        for (const name of stringsIn(reason))
          for (const code of codes) for (const status of statuses) add(name, code, status);
      },
      CallExpression({ callee, arguments: args }) {
        const called = callee.property?.name ?? callee.name;
        const [reason] = stringsIn(args[0]);
        if (called === "invalidArgument" || (called === "add" && args.length === 3))
          add(reason, "INVALID_ARGUMENT");
      },
    });
  });
  return reasons;
}

function forEachSource(root, read) {
  for (const file of readdirSync(`${root}src`, { recursive: true }).sort()) {
    if (!/(?<!\.spec)\.ts$/.test(file) || /(?:^|\/)(?:gen|testing)\//.test(file)) continue;
    const text = readFileSync(`${root}src/${file}`, "utf8");
    read(parseSync(file, text).program, text);
  }
}

const visit = (program, visitor) => new Visitor(visitor).visit(program);

const propertiesOf = (node) =>
  new Map((node?.properties ?? []).map(({ key, value }) => [key?.name ?? key?.value, value]));

function stringsIn(node) {
  switch (node?.type) {
    case "Literal":
      return typeof node.value === "string" ? [node.value] : [];
    case "ArrayExpression":
      return node.elements.flatMap(stringsIn);
    case "TSAsExpression":
      return stringsIn(node.expression);
    case "ConditionalExpression":
      return [...stringsIn(node.consequent), ...stringsIn(node.alternate)];
    default:
      return [];
  }
}

/** Returns the names of codes in an expression. A parameter has its default, and values that calls in the same file pass. */
function codesIn(node, program, text) {
  const codes = [];
  const add = ({ start, end }) =>
    codes.push(...[...text.slice(start, end).matchAll(/\bCode\.([A-Z_]+)/g)].map(([, name]) => name));
  add(node);
  if (node.type === "Identifier") {
    visit(program, {
      FunctionDeclaration({ id, params, start, end }) {
        if (start > node.start || end < node.end) return;
        params.forEach(add);
        visit(program, {
          CallExpression({ callee, arguments: args }) {
            if (callee.name === id.name) args.forEach(add);
          },
        });
      },
    });
  }
  return codes;
}

/** Returns the values of `httpStatus`. A parameter has those that calls in the same file pass. */
function statusesIn(node, program) {
  if (node?.type === "Literal") return [node.value];
  if (node?.type !== "Identifier") return [undefined];
  const statuses = [];
  visit(program, {
    CallExpression({ arguments: args }) {
      statuses.push(...args.map(({ value }) => value).filter((value) => value >= 400 && value < 600));
    },
  });
  return statuses;
}
