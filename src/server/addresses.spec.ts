import { describe, expect, it, test } from "vitest";
import { type AddressConfig, Addresses } from "./addresses.js";

const CONFIG: AddressConfig = {
  host: "127.0.0.1",
  integrityPort: 8080,
  registryPort: 8082,
  messagingDataPort: 0,
};
const TLS = { certificate: "server.pem", key: "server.key" };

describe("a service's public address", () => {
  it("is unknown until the service listens, and is then the listen address", () => {
    const addresses = new Addresses(CONFIG);
    expect(addresses.publicUrl("integrity")).toBeUndefined();
    addresses.addListening({ integrityUrl: "http://127.0.0.1:4711" });
    addresses.addListening({ adminUrl: "http://127.0.0.1:9090" });
    expect(addresses.publicUrl("integrity")).toBe("http://127.0.0.1:4711");
    expect(addresses.publicUrl("messaging-data")).toBeUndefined();
  });

  it("is the configured address, even if the service listens on a different one", () => {
    const addresses = new Addresses({ ...CONFIG, messagingDataUrl: "https://api.example.com/md" });
    addresses.addListening({ messagingDataUrl: "http://127.0.0.1:4711" });
    expect(addresses.publicUrl("messaging-data")).toBe("https://api.example.com/md");
    expect(addresses.listening).toEqual({ messagingDataUrl: "http://127.0.0.1:4711" });
  });

  test.each([
    [undefined, ""],
    ["https://example.com", ""],
    ["https://example.com/api", "/api"],
    ["https://example.com/a/b", "/a/b"],
  ])("configured as %s has the path %j", (integrityUrl, path) => {
    expect(new Addresses({ ...CONFIG, integrityUrl }).publicPath("integrity")).toBe(path);
  });
});

describe("the expected address of a service that is not listening", () => {
  test.each<[Partial<AddressConfig>, string | undefined]>([
    [{}, "http://127.0.0.1:8080"],
    [{ tls: TLS }, "https://127.0.0.1:8080"],
    [{ host: "::1" }, "http://[::1]:8080"],
    [{ integrityUrl: "https://example.com" }, "https://example.com"],
    [{ integrityPort: 0 }, undefined],
    [{ integrityPort: 0, integrityUrl: "https://example.com" }, "https://example.com"],
  ])("with %j is %s", (config, url) => {
    expect(new Addresses({ ...CONFIG, ...config }).expectedUrl("integrity")).toBe(url);
  });

  it("is the listen address once the service listens", () => {
    const addresses = new Addresses(CONFIG);
    addresses.addListening({ integrityUrl: "http://127.0.0.1:4711" });
    expect(addresses.expectedUrl("integrity")).toBe("http://127.0.0.1:4711");
  });
});
