import { access } from './access.ts';
import { busy } from './busy.ts';
import { oneRequest } from './one-request.ts';
import { otherLanguagesAndFrames } from './other-languages-and-frames.ts';
import { tooLongHosted } from './too-long-hosted.ts';
import { tooLongLocal } from './too-long-local.ts';
import type { VendorRefusal } from './vendor-refusal.ts';

/** Error answers of vendors, with the kinds that they have to be taken for. */
export const vendorRefusals: readonly VendorRefusal[] = [
  ...access,
  ...tooLongHosted,
  ...tooLongLocal,
  ...busy,
  ...oneRequest,
  ...otherLanguagesAndFrames,
];
