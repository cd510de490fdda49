import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { drawPicture } from './draw-picture'

const plain = (width: number, height: number, alpha = 1) =>
  sharp({ create: { width, height, channels: 4, background: { r: 20, g: 90, b: 200, alpha } } })

const refusal = async (file: Uint8Array): Promise<string> => {
  try {
    await drawPicture(file, 'user')
  } catch (error) {
    expect(error).toMatchObject({ code: 'BAD_USER_INPUT', details: { field: 'picture' } })
    return (error as Error).message
  }
  throw new Error('The image was accepted.')
}

describe('drawPicture', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('re-encodes a %s file as a 256-pixel square', async (format) => {
    const file = await plain(400, 300)[format]().toBuffer()
    const drawn = await drawPicture(file, 'user')
    expect(await sharp(drawn).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 })
  })

  it('fits a logo on a transparent background and crops an avatar to its center', async () => {
    const file = await plain(400, 200).png().toBuffer()
    const cornerOf = async (use: 'user' | 'logo') => {
      const drawn = await drawPicture(file, use)
      return [...(await sharp(drawn).ensureAlpha().raw().toBuffer()).subarray(0, 4)]
    }
    expect((await cornerOf('logo'))[3]).toBe(0)
    expect((await cornerOf('user'))[3]).toBe(255)
  })

  it('applies the orientation of a photo and removes the photo’s Exif metadata', async () => {
    const file = await sharp({
      create: { width: 200, height: 100, channels: 3, background: '#ffffff' },
    })
      .composite([
        {
          input: { create: { width: 100, height: 100, channels: 3, background: '#000000' } },
          left: 0,
          top: 0,
        },
      ])
      .withMetadata({ orientation: 6 })
      .withExif({ IFD0: { Copyright: 'SECRET-PLACE' }, IFD3: { GPSLatitude: '51/1 30/1 3230/100' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect(file.toString('latin1')).toContain('Exif')
    const drawn = await drawPicture(file, 'logo')
    const { exif, orientation } = await sharp(drawn).metadata()
    expect([exif, orientation]).toEqual([undefined, undefined])
    // After the rotation, the dark left half of the stored image is the upper half of the photo.
    const pixels = await sharp(drawn).flatten().greyscale().raw().toBuffer()
    const at = (x: number, y: number) => pixels[y * 256 + x] as number
    expect(at(128, 40)).toBeLessThan(60)
    expect(at(128, 216)).toBeGreaterThan(200)
  })

  it('removes data after the end of the image', async () => {
    const script = '<script>alert(1)</script>'
    const file = Buffer.concat([await plain(100, 100).png().toBuffer(), Buffer.from(script)])
    const drawn = await drawPicture(file, 'user')
    expect(Buffer.from(drawn).toString('latin1')).not.toContain('script')
  })

  it('keeps only one frame of an animation', async () => {
    const frames = await sharp(await plain(100, 200).raw().toBuffer(), {
      raw: { width: 100, height: 200, channels: 4, pageHeight: 100 },
    })
      .webp({ loop: 0 })
      .toBuffer()
    expect((await sharp(await drawPicture(frames, 'user')).metadata()).pages ?? 1).toBe(1)
  })

  it.each([
    ['an empty file', '', /Choose a file/],
    ['a text file', 'GIMME a PNG', /not a PNG, JPEG, or WebP/],
    [
      'an SVG file',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      /not a PNG, JPEG, or WebP/,
    ],
    ['a GIF', 'GIF89a\x01\x00\x01\x00', /not a PNG, JPEG, or WebP/],
    ['an HTML page after the first bytes of a JPEG', '\xff\xd8\xff<html><script>1</script>', /damaged/],
    ['a WebP file with only a valid header', 'RIFF\x20\x00\x00\x00WEBP<svg>', /damaged/],
  ])('rejects %s', async (_name, text, reason) => {
    expect(await refusal(Buffer.from(text, 'latin1'))).toMatch(reason)
  })

  it('rejects a truncated file', async () => {
    const noise = sharp({
      create: {
        width: 300,
        height: 300,
        channels: 3,
        background: '#888888',
        noise: { type: 'gaussian', sigma: 60 },
      },
    })
    for (const file of [await noise.clone().png().toBuffer(), await noise.clone().jpeg().toBuffer()]) {
      expect(await refusal(file.subarray(0, file.length / 2))).toMatch(/damaged or incomplete/)
    }
  })

  it('rejects an image with too many pixels, with an error that contains its dimensions', async () => {
    const file = await plain(5000, 5000).png().toBuffer()
    expect(file.length).toBeLessThan(1_000_000)
    expect(await refusal(file)).toContain('5000 × 5000 pixels')
  })

  it('rejects an image that is too small or not square, with an error that states the reason', async () => {
    expect(await refusal(await plain(200, 63).png().toBuffer())).toContain(
      '200 × 63 pixels, which is too small. Use at least 64',
    )
    expect(await refusal(await plain(401, 200).png().toBuffer())).toContain('not square')
  })

  it('rejects a file over the size limit, with an error that contains its size', async () => {
    expect(await refusal(new Uint8Array(5 * 1024 * 1024))).toContain(
      'The file is 5.0 MB, but the limit is 4 MB',
    )
  })

  it('re-encodes one image at a time, and leaves the other threads for signatures and password hashes', async () => {
    const file = await plain(400, 400).png().toBuffer()
    let most = 0
    const count = () => {
      const { queue, process } = sharp.counters()
      most = Math.max(most, queue, process)
    }
    sharp.queue.on('change', count)
    await Promise.all(Array.from({ length: 6 }, () => drawPicture(file, 'user')))
    sharp.queue.off('change', count)
    expect(most).toBe(1)
  })

  it('rejects an image if too many are waiting, and accepts it later', async () => {
    const file = await plain(64, 64).png().toBuffer()
    const draw = () => drawPicture(file, 'user').catch(({ code }) => code)
    const results = await Promise.all(Array.from({ length: 30 }, draw))
    const busy = results.filter((result) => result === 'SERVICE_UNAVAILABLE')
    expect(busy.length).toBeGreaterThan(0)
    expect(busy.length).toBeLessThan(30)
    expect(await draw()).toBeInstanceOf(Uint8Array)
  })
})
