/** A delivery to the address of a webhook: `fetch(address, { method: 'POST', ...delivery })`. */
export interface SimulatedDelivery {
  readonly headers: Readonly<Record<string, string>>;
  /** As bytes, because a signature is over bytes. */
  readonly body: Buffer<ArrayBuffer>;
}

/** An id of the form that deliveries have, told apart by a number. */
export function toDeliveryId(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
