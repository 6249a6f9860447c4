/** The same data with each of its texts changed; keys stay as they are. */
export function mapTexts<Data>(data: Data, change: (text: string) => string): Data {
  const map = (value: unknown): unknown => {
    if (typeof value === 'string') return change(value);
    if (Array.isArray(value)) return value.map(map);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, map(one)]));
  };
  return map(data) as Data;
}
