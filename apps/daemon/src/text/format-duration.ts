/** `45s`, `3m 07s`, `2h 05m`, `4d 3h`: short, and of steady width while it counts. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (minutes === 0) return `${seconds}s`;
  if (hours === 0) return `${minutes}m ${twoDigits(seconds % 60)}s`;
  if (hours < 24) return `${hours}h ${twoDigits(minutes % 60)}m`;
  return `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

/** `950`, `12.4k`, `3.1M`. */
export function formatCount(count: number): string {
  if (count < 1_000) return String(count);
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
