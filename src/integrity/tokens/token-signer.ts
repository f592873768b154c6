import { type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";
import { CORES_BESIDE_CALLS, type PrincipalCalls } from "../../limits/principal-calls.js";
import type { SigningKey } from "./token-keys.js";

/** Signs data by RS256. */
type SignRs256 = (data: Buffer, key: KeyObject) => Promise<Buffer>;

const signInPool = promisify(sign);
const signRs256: SignRs256 = (data, key) => signInPool("sha256", data, key);

/**
 * Signs app tokens in the thread pool, several at the same time. While principals call often, signing leaves one core
 * free, which makes exchanges slower and other calls faster. Node.js has no priorities for its thread pool.
 */
export class TokenSigner {
  readonly #principalCalls: Pick<PrincipalCalls, "areFrequent">;
  readonly #limit: number;
  readonly #signRs256: SignRs256;
  readonly #waiting: (() => void)[] = [];
  #signing = 0;

  /** @param limit maximum number of simultaneous signatures while principals call often. */
  constructor(
    principalCalls: Pick<PrincipalCalls, "areFrequent">,
    limit = CORES_BESIDE_CALLS,
    sign = signRs256,
  ) {
    this.#principalCalls = principalCalls;
    this.#limit = limit;
    this.#signRs256 = sign;
  }

  /**
   * Signs claims as a JWT with RS256, in the compact form (RFC 7515 §3.1). `jose` converts the key and the algorithm for
   * each token, which needs a sixth of the processor time of the signature.
   */
  async sign({ kid, privateKey }: SigningKey, claims: object): Promise<string> {
    const signed = `${encoded({ alg: "RS256", kid, typ: "JWT" })}.${encoded(claims)}`;
    if (this.#mustWait) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#signing++;
    try {
      const signature = await this.#signRs256(Buffer.from(signed), privateKey);
      return `${signed}.${signature.toString("base64url")}`;
    } finally {
      this.#signing--;
      this.#startNext();
    }
  }

  get #mustWait(): boolean {
    return this.#signing >= this.#limit && this.#principalCalls.areFrequent;
  }

  /** Starts waiting signatures. They count immediately, so that newer ones cannot overtake them. */
  #startNext(): void {
    while (!this.#mustWait) {
      const proceed = this.#waiting.shift();
      if (proceed === undefined) return;
      this.#signing++;
      proceed();
    }
  }
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
