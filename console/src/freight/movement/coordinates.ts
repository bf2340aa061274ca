/** `44.05, -123.09` as latitude and longitude; null where nothing was typed. */
export function coordinatesIn(text: string): { latitude: number; longitude: number } | 'wrong' | null {
  if (text.trim() === '') return null
  const [, north, east] = /^\s*(-?\d{1,2}(?:\.\d+)?)(?:\s*[,;]\s*|\s+)(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(text) ?? []
  const [latitude, longitude] = [Number(north), Number(east)]
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : 'wrong'
}
