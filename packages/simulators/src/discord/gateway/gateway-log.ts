/** Something that happened between the gateway and its clients. */
export type GatewayEvent =
  | { readonly kind: 'connect' }
  | { readonly kind: 'heartbeat' }
  | { readonly kind: 'identify'; readonly intents: number }
  /** `isAccepted` false: the client must identify anew. */
  | { readonly kind: 'resume'; readonly sequence: number; readonly isAccepted: boolean }
  /** The code with which the connection ended, whoever ended it; 1006 without a farewell. */
  | { readonly kind: 'close'; readonly code: number };
