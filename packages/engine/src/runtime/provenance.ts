/** IPTC's word for a picture that was composed with trained models. */
export const digitalSourceType =
  'http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia';

/** XMP that says so, in the field that IPTC made for it. */
export const provenance = `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
  <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about=""
      xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
      xmlns:xmp="http://ns.adobe.com/xap/1.0/"
      xmp:CreatorTool="Guise"
      Iptc4xmpExt:DigitalSourceType="${digitalSourceType}"/>
  </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>`;
